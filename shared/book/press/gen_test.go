package press
import ("testing";"os";"bufio";"strings";"fmt";"path/filepath";"sort")
func TestGen(t *testing.T){
 var out []string
 for _,rf:=range []string{"/tmp/bk/rows.tsv","/tmp/bk/rows2.tsv"} { f,_:=os.Open(rf); s:=bufio.NewScanner(f); s.Buffer(nil,1<<20)
 for s.Scan(){ p:=strings.Split(s.Text(),"\t"); repo,path:=p[1],p[2]
  if p[0]=="dir" { if path=="" {continue} ; path=strings.TrimSuffix(path,"/")+"/" }
  fp:="/tmp/bk/c2/"+strings.Replace(repo,"/","+",1)+"/"+path
  if p[0]=="dir" { fp=strings.TrimSuffix(fp,"/")+".packed.epub"}
  b,err:=os.ReadFile(fp); if err!=nil {fmt.Println("missing",fp);continue}
  out=append(out,repo+"\t"+path+"\t"+outcome(filepath.Base(fp),b)) } }
 sort.Slice(out,func(i,j int)bool{a:=strings.Split(out[i],"\t");b:=strings.Split(out[j],"\t");return a[0]+"\t"+a[1]<b[0]+"\t"+b[1]})
 os.WriteFile("testdata/corpus.tsv",[]byte(strings.Join(out,"\n")+"\n"),0o644)
}
