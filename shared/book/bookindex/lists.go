package bookindex

// titles stand before names and are no part of them.
var titles = set(`Mr Mrs Miss Ms Dr Sir Lady Lord Madam Professor Prof Captain Colonel General Major Doctor Uncle Aunt Father
	Mother Brother Sister King Queen Prince Princess Saint St Herr Herrn Frau Fräulein Doktor Onkel Tante Hofrat Graf Gräfin
	Baron Baronin Fürst König Königin Kaiser Kaiserin Pater Schwester Bruder Frl Hr Fr`)

// particles stand inside names.
var particles = set(`of the de del della di da van von vom zu zur der den la le du dos ter y e`)

// determiners stand before German nouns that are no names.
var determiners = set(`der die das des dem den ein eine einen einem einer eines kein keine keinen keinem keiner keines mein meine
	meinen meinem meiner meines dein deine deinen deinem deiner sein seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer
	ihres unser unsere unseren unserem unserer euer eure dieser diese dieses diesen diesem jener jene jenes jenen jenem jeder jede
	jedes jeden jedem welcher welche welches zum zur im am beim vom ins ans aufs übers fürs durchs alle allen aller alles viele vielen
	vieler manche manchen mancher einige einigen einiger mehrere beide beiden beider solche solchen solcher zwei drei vier fünf sechs
	sieben acht neun zehn ganze ganzen ganzer kleine kleinen kleiner große großen großer alte alten alter neue neuen neuer gute guten
	guter erste ersten erster letzte letzten letzter andere anderen anderer viel wenig mehr ohne`)

var stopEnglish = set(`I I'm I’m I'd I’d I'll I’ll I've I’ve Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February
	March April May June July August September October November December God O Oh Ah Well Yes No The A An And But Or So Then Now Here
	There He She It We You They This That These Those What Who Why How When Where If In On At To For With My Your His Her Our Their Its
	Chapter Part Book Volume Section Figure Table Page Note English French German American Christian Heaven Hell Earth Christmas`)

var numerals = set(`One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety
	Hundred Thousand Million`)

var stopGerman = set(`Sie Ihr Ihre Ihnen Ihren Ihrem Ihrer Ihres Du Dir Dich Dein Deine Euch Er Es Ich Wir Der Die Das Ein Eine Und
	Aber Oder Da So Nun Wie Was Wer Wo Wenn Als Auch Noch Nur Doch Ja Nein Ach Oh Mein Meine Kapitel Teil Abschnitt Abbildung Tabelle Seite
	Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Sonnabend Januar Jänner Februar Feber März April Mai Juni Juli August
	September Oktober November Dezember Gott Weihnachten Ostern Deutsch Englisch Französisch`)

// givenNames are common first names: what stands behind one is a surname.
var givenNames = set(`Anna Maria Elisabeth Margarete Katharina Barbara Theresia Johanna Josefa Magdalena Christine Sophie Charlotte Emma
	Martha Clara Klara Helene Helena Julia Laura Eva Ida Rosa Agnes Hedwig Gertrud Ingeborg Ursula Monika Karin Sabine Andrea Petra Claudia
	Susanne Hannah Hanna Lena Lea Mia Johann Josef Joseph Franz Karl Carl Georg Michael Martin Anton Alois Ferdinand Leopold Rudolf Heinrich
	Friedrich Wilhelm Hermann Ludwig Otto Paul Peter Hans Max Ernst Gustav Adolf Albert Alfred Arthur Artur Robert Richard Walter Werner
	Wolfgang Thomas Andreas Stefan Stephan Christian Matthias Markus Lukas Jakob Felix Simon Sebastian Daniel David Florian Alexander
	Gregor Grete Viktor Emil Eduard Edward Hugo Oskar Erich Erwin Kurt Fritz Konrad Bernhard Philipp Philip Theodor John William George
	Charles James Henry Thomas Robert Edward Mary Elizabeth Jane Margaret Alice Florence Sarah Ann Anne Emily Ellen Harriet Louisa Louise
	Catherine Kate Helen Ruth Rachel Rebecca Lucy Samuel Benjamin Joseph Jack Harry Frank Fred Frederick Francis Walter Herbert Ralph Oliver
	Patrick Andrew Stephen Steven Mark Luke Matthew Adam Isaac Abraham Jacob Nicholas Hugh Edmund Edgar Louis Jean Pierre Jacques Marie
	Giovanni Giuseppe Antonio Marco Paolo Carlo Luigi Isabella Olivia Amelia Sophia Grace Susan Linda Karen Nancy Betty Dorothy Sandra`)

// commonGerman are nouns so common that no reader looks for them.
var commonGerman = capitals(`zeit jahr jahre jahren jahres tag tage tagen tages nacht nächte morgen mittag abend stunde stunden minute
	minuten augenblick augenblicke weile woche wochen monat monate monaten mal male anfang ende schluss schluß mensch menschen mann männer
	manne mannes frau frauen kind kinder kindern kindes leute leuten herr herren dame damen vater vaters mutter eltern sohn söhne tochter
	töchter bruder brüder schwester schwestern freund freunde freunden freundin familie haus hause hauses häuser zimmer zimmern zimmers wand
	wände wänden tür türe türen fenster fenstern tisch tische tisches stuhl stühle bett bette bettes boden dach treppe küche raum räume
	stadt städte dorf land lande landes länder straße straßen weg wege weges platz plätze ort orte hof garten wald feld berg berge tal fluss
	wasser feuer luft licht erde himmel sonne mond wind regen schnee kopf kopfe köpfe gesicht gesichte auge augen ohr ohren nase mund munde
	hand hände händen finger arm arme armen bein beine beinen beinchen fuß füße füßen körper rücken bauch brust hals herz herzen blut haut haar haare
	stimme stimmen wort worte worten wörter sprache frage fragen antwort satz name namen sache sachen ding dinge dingen teil teile art weise
	arbeit arbeiten geschäft werk grund gründe gedanke gedanken idee sinn sinne kraft kräfte macht recht rechte unrecht wahrheit leben lebens
	tod tode liebe hass glück unglück freude schmerz schmerzen angst furcht sorge sorgen hoffnung ruhe lust mut schuld hilfe dank bitte
	seite seiten mitte stelle stellen richtung nähe ferne höhe tiefe länge breite größe zahl menge reihe ordnung fall falle fälle fällen
	folge folgen ursache wirkung zustand lage möglichkeit gelegenheit notwendigkeit verhältnis verhältnisse umstand umstände
	umständen bedeutung zweck ziel absicht wunsch wille willen plan versuch entschluss entschluß entscheidung meinung ansicht blick blicke
	bild bilder zeichen spur form gestalt farbe ton laut geräusch lärm stille schlaf traum träume hunger durst essen brot milch fleisch wein
	bier kaffee tee mahlzeit geld preis wert stück stücke glas flasche teller kleid kleider rock hut schuh schuhe tuch papier
	brief briefe buch bücher zeitung schrift uhr schlüssel schritt schritte gang reise fahrt wagen zug pferd hund katze vogel tier tiere
	baum bäume blume blumen gras stein steine holz eisen gold silber welt volk staat kirche schule krieg frieden gesellschaft
	geschichte gegenwart vergangenheit zukunft jugend alter gesundheit krankheit arzt lehrer schüler nachbar nachbarn besuch gast gäste
	anblick eindruck gefühl gefühle bewusstsein bewußtsein verstand vernunft geist seele rede gespräch unterhaltung erzählung nachricht
	mühe eile geduld aufmerksamkeit erinnerung vorstellung erklärung erscheinung bewegung bewegungen veränderung unterschied
	gegenstand gegenstände mittel bedingung beispiel regel gesetz pflicht aufgabe dienst amt stellung beruf lohn vorteil nachteil
	gegenteil vergleich zusammenhang beziehung hinsicht rücksicht betracht allgemeinen wesentlichen übrigen anderen andern anderes anderer
	nichts etwas alles vieles weniges gutes böses neues stimmung laune ecke ecken rand spitze loch dunkel dunkelheit
	kälte wärme hitze nebel wolke wolken angelegenheit achsel fußboden gewalt entfernung gespräch leistung blick körper zustand wange träne schrecken sessel winkel frühling sommer herbst winter osten westen norden süden meter kilometer
	meile meilen schilling gulden mark pfennig euro prozent hälfte drittel viertel dutzend hundert tausend million paar`)
