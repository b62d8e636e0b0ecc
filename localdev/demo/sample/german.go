package sample

// noun is a German noun with its gender.
type noun struct {
	gender byte // m, f, n
	word   string
}

func nouns(s string) []noun {
	var all []noun
	for _, w := range list(s) {
		all = append(all, noun{w[0], w[2:]})
	}
	return all
}

// The German vocabulary. Masculine nouns of the weak declension are left out, so that the singular has one form.
var (
	deNames = list(`Anna Martha Johanna Klara Theresia Magdalena Josefa Franziska Georg Martin Leopold Anton Ferdinand Ludwig Konrad Sebastian Matthias Benedikt`)
	deNouns = nouns(`n:Haus m:Garten m:Fluss n:Fenster m:Brief f:Laterne f:Brücke m:Hafen f:Stiege f:Küche m:Berg m:Arzt f:Gärtnerin m:Lehrer m:Kaufmann
		m:Uhrmacher m:Fischer f:Tochter m:Bruder f:Witwe m:Richter f:Kirche m:Hof m:Kamin m:Vorhang m:Spiegel m:Wagen m:Kessel f:Decke m:Schirm n:Heft n:Bild f:Zeitung
		n:Telegramm m:Umschlag m:Koffer m:Leuchter n:Regal m:Ofen m:Schrank f:Tür m:Gang m:Keller m:Dachboden n:Dach n:Geländer n:Pflaster f:Kreuzung m:Markt m:Brunnen n:Denkmal
		m:Friedhof f:Wiese m:Hang n:Ufer m:Leuchtturm f:Küste n:Boot f:Fähre m:Anker m:Kompass m:Horizont n:Gewitter m:Schnee f:Dämmerung m:Nachmittag m:Abend m:Morgen f:Stille
		f:Erinnerung n:Geheimnis n:Versprechen m:Streit f:Erklärung n:Gespräch f:Entdeckung f:Entscheidung n:Missverständnis f:Verabredung f:Bekanntschaft f:Erbschaft f:Gelegenheit
		f:Beobachtung f:Enttäuschung f:Ermutigung f:Versöhnung f:Befürchtung m:Karren f:Werkbank m:Hammer f:Nadel m:Fingerhut f:Geige n:Klavier f:Trompete f:Melodie f:Zeichnung
		n:Gemälde f:Landschaft n:Wörterbuch m:Kalender f:Kanne f:Schale m:Korb m:Apfel f:Kastanie f:Nuss f:Amsel f:Katze f:Weide f:Birke m:Efeu n:Moos m:Pfad n:Tor f:Hecke f:Scheune
		m:Stall f:Mühle m:Steinbruch f:Eisenbahn m:Bahnsteig m:Fahrplan n:Gepäck f:Karte f:Werkstatt f:Bibliothek f:Gemeinde f:Verwaltung f:Nachbarschaft f:Gesellschaft f:Wissenschaft
		f:Behörde f:Urkunde f:Unterschrift n:Grundbuch f:Parzelle f:Grenze m:Waldrand n:Moor f:Alm f:Hütte m:Bach f:Quelle m:Wasserfall n:Tal f:Schlucht m:Gipfel m:Nebel`)
	deFirst      = list(`Garten Abend Sommer Winter Straßen Stadt Wasser Kirchen Markt Nachbar Familien Schul Hafen Nacht Reise Holz Stein Eisenbahn Arbeits Landschafts Erinnerungs Gesellschafts Wirtschafts Versicherungs Verwaltungs Bildungs`)
	deHeads      = nouns(`n:haus m:plan f:karte f:mauer m:platz f:stube n:buch f:ordnung f:gesellschaft f:geschichte n:gespräch m:schlüssel f:lampe f:verwaltung m:bericht f:gemeinschaft f:beschreibung f:angelegenheit m:vorsteher f:untersuchung`)
	deAdjectives = list(`alt still schmal schwer blass krumm fern vertraut leer golden silbern verwittert geduldig neugierig sanft feierlich heiter vergessen gewaltig zart seltsam gewöhnlich stattlich
		prächtig schwermütig angesehen ungeduldig bemerkenswert außergewöhnlich bequem unbequem geheimnisvoll unzertrennlich beträchtlich unerwartet gekalkt mondhell verregnet halbfertig verlassen
		zerbrochen verborgen treu achtlos glänzend staubig gelb rot grau hölzern steinig rastlos schäbig schläfrig bitter süß gefroren warm seicht tief hell matt schwach hohl plötzlich ehrlich klug
		starrköpfig erschöpft dankbar nachdenklich selbstverständlich unwiderstehlich wissenschaftlich landwirtschaftlich gesellschaftlich freundschaftlich`)
	deTransitive   = phrases(`öffnete; schloss; trug; bemerkte; verfolgte; betrachtete; beschrieb; reparierte; malte; übersah; entdeckte; erklärte; untersuchte; erkannte; zeichnete; polierte; versteckte; fand; verlor; vermaß; zählte; bewunderte; mied; erwähnte; suchte; befragte; überquerte; verließ; behielt; nahm; brachte; verglich; vergaß; wiederholte; unterbrach; begleitete; verteidigte; beantwortete`)
	deIntransitive = phrases(`wartete; zögerte; lächelte; lachte; nickte; schlief; zitterte; verschwand; schwieg; verstummte; stand still; saß da; kehrte um; kam zurück; ging hinaus; blieb stehen; hielt inne; atmete auf; horchte; wanderte umher; lag wach; ging weiter; fror; dachte nach; blickte auf; schritt voran; lehnte sich zurück`)
	deFinal        = phrases(`wartete; zögerte; lächelte; schlief; zitterte; verschwand; schwieg; verstummte; umkehrte; zurückkam; hinausging; stehen blieb; innehielt; aufatmete; weiterging; nachdachte; aufblickte; näher trat; zurückblieb`)
	dePlaces       = phrases(`in; hinter; neben; unter; nahe; bei; über; vor; gegenüber`)
	deAdverbs      = phrases(`langsam; endlich; wortlos; noch einmal; nach einer Weile; beinahe sofort; am Ende; mit großer Sorgfalt; ganz plötzlich; zum ersten Mal; wie immer; spät in der Nacht; früh am nächsten Tag; zu aller Überraschung; bevor jemand antworten konnte; mit einiger Mühe; leise; widerwillig; fröhlich; gedankenverloren; nachdenklich; dann und wann; als wäre nichts geschehen; trotz allem; wider Erwarten`)
	deSaid         = phrases(`sagte; fragte; antwortete; flüsterte; erwiderte; murmelte; rief; bemerkte; beharrte; wiederholte; meinte`)
	deLines        = phrases(`Ich wollte nie so lange bleiben; Das hättest du mir früher sagen können; Darüber gibt es nichts mehr zu reden; Wir müssen noch einmal von vorn beginnen; Es war nur der Wind im Kamin; Dort hat seit zwanzig Jahren niemand gewohnt;
		Der Zug fährt um halb sieben; Ich möchte es mit eigenen Augen sehen; Du hast die Augen deiner Mutter; So habe ich es nicht in Erinnerung; Man sagt, die Brücke hält keinen Winter mehr; Lass die Lampe stehen; Ich habe dir etwas mitgebracht;
		Vielleicht hat er es vergessen; Damals waren wir Kinder; Erzähl mir, was du gesehen hast; Das hat Zeit bis morgen; Du weißt genau, was ich meine; Davon glaube ich kein Wort; Jemand muss die Leiter verstellt haben; Der Arzt kommt noch vor Mittag;
		Sprechen wir von etwas anderem; Es ist später, als du denkst; Setz dich lieber; Ich hätte geschrieben, wenn es etwas zu schreiben gegeben hätte; Es waren drei, und einer trug eine Laterne; Nach dir hat niemand gefragt`)
	deOpeners = phrases(`Inzwischen; Trotzdem; Einen Augenblick lang; An jenem Abend; Einige Wochen später; Natürlich; Im Ganzen; Damals; Zu dieser Zeit; Von da an; Gewiss; Lange danach; Jedenfalls; Bis dahin`)
	deTails   = phrases(`und das war alles; denn es war schon spät; wie er es immer tat; aber das sagte er ihr nicht; und so ist es auch heute noch; obwohl es ihr nicht recht war; und er wusste nicht, was er tun sollte;
		als ob es so sein müsste; und es war ihm, als sei er nie fort gewesen; so gut es eben ging; und mehr war dazu nicht zu sagen; wenn man es so nennen will; und wer es sah, der sah es nicht gern; was ihm niemand glauben wollte;
		und sie tat es nicht zum ersten Mal; denn so war es ihm am liebsten; und da war nun nichts mehr zu machen; auch wenn es nur für einen Tag war; ehe er es recht begriff; und keiner von ihnen hat je ein Wort davon gesagt;
		wie man es ihm vor Jahr und Tag gesagt hatte; und es ist mir, als wäre es erst gestern gewesen; und nur der Hund war noch wach; bis es ihr zu viel wurde; und das ist mehr, als man von mir sagen kann; und ich war froh, dass es vorbei war`)
	deAbstract = phrases(`es schien, dass; es gab keinen Zweifel, dass; niemand konnte sagen, ob; alle wussten, dass; es hieß, dass; sie war sicher, dass; er hatte immer geglaubt, dass; man hätte meinen können, dass; es stellte sich heraus, dass; ich weiß noch, dass`)
	deTitles   = phrases(`Das Haus am Wasser; Ein Brief aus dem Norden; Übersetzen; Was der Uhrmacher wusste; Der leere Stuhl; Drei Besucher; Unter den Kastanien; Die letzte Fähre; Eine Frage der Erbschaft; Schnee; Das zweite Bildnis; Heimkehr;
		Die Tochter des Leuchtturmwärters; Ein gewöhnlicher Abend; Jenseits des Gartens; Der Lehrer erklärt; Regen auf den Dächern; Das Grundbuch; Im Hof; Nachtzug; Der zerbrochene Kompass; Ein Wetterwechsel; Das Verzeichnis; Abschiede;
		Die lange Wiese; Briefwechsel; Nichts als die Wahrheit; Der Wintergarten; Niedrigwasser; Die Eröffnung des Testaments`)
)

// declined endings: article and adjective by case and gender.
var (
	deDefinite = map[string]string{"nm": "der", "nf": "die", "nn": "das", "am": "den", "af": "die", "an": "das", "dm": "dem", "df": "der",
		"dn": "dem"}
	deIndefinite = map[string]string{"nm": "ein", "nf": "eine", "nn": "ein", "am": "einen", "af": "eine", "an": "ein", "dm": "einem",
		"df": "einer", "dn": "einem"}
	deWeak   = map[string]string{"nm": "e", "nf": "e", "nn": "e", "am": "en", "af": "e", "an": "e", "dm": "en", "df": "en", "dn": "en"}
	deStrong = map[string]string{"nm": "er", "nf": "e", "nn": "es", "am": "en", "af": "e", "an": "es", "dm": "en", "df": "en",
		"dn": "en"}
)
