package forest

import "testing"

func BenchmarkPredict(b *testing.B) {
	columns, labels := clouds(1, 20000, 57, 16, 0)
	p := Default()
	p.Trees = 50
	f := fitted(b, columns, labels, 16, p)
	var votes []uint32
	b.ResetTimer()
	for range b.N {
		votes = f.Forest.Votes(columns, votes)
	}
	b.ReportMetric(float64(len(f.Nodes)), "nodes")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20000, "ns/row")
}

func BenchmarkFit(b *testing.B) {
	columns, labels := clouds(1, 20000, 57, 16, 0)
	p := Default()
	p.Trees, p.Workers = 10, 1
	for range b.N {
		fitted(b, columns, labels, 16, p)
	}
}
