package sample

import "strings"

func list(s string) []string { return strings.Fields(s) }

func phrases(s string) []string {
	var all []string
	for _, p := range strings.Split(s, ";") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			all = append(all, strings.ReplaceAll(p, "'", "’"))
		}
	}
	return all
}

// The English vocabulary. Nouns and verbs are regular in what the grammar needs of them.
var (
	enNames = list(`Anna Martha Edith Clara Harriet Josephine Beatrice Winifred Thomas Edmund Arthur Leonard Walter Gregory Samuel Theodore Lucian Matthew`)
	enNouns = list(`house garden river window letter lantern bridge harbour orchard staircase kitchen mountain stranger neighbour doctor captain gardener
		teacher merchant shepherd clockmaker fisherman schoolmaster daughter brother widow traveller soldier lawyer magistrate cathedral courtyard
		chimney curtain mirror carriage kettle blanket umbrella notebook photograph newspaper telegram envelope suitcase candlestick bookshelf fireplace
		wardrobe doorway hallway cellar attic rooftop railing pavement crossroads marketplace fountain statue monument churchyard meadow hillside
		riverbank lighthouse shoreline breakwater sailboat ferry lifeboat anchor compass horizon thunderstorm snowfall twilight afternoon evening
		morning silence memory secret promise quarrel explanation conversation discovery decision misunderstanding arrangement acquaintance inheritance
		correspondence circumstance observation recollection disappointment encouragement reconciliation apprehension
		wheelbarrow workbench hammer needle thimble violin piano trumpet melody drawing painting portrait landscape manuscript dictionary
		almanac cupboard teapot saucer loaf basket apple chestnut walnut blackbird sparrow heron spaniel kitten pony beehive willow
		birch hawthorn ivy moss bramble footpath gate hedge barn stable mill quarry railway platform timetable conductor luggage ticket`)
	enAdjectives = list(`old quiet narrow heavy pale crooked distant familiar empty golden silver weathered patient curious gentle solemn cheerful
		forgotten enormous delicate peculiar ordinary handsome splendid melancholy respectable impatient remarkable extraordinary comfortable
		uncomfortable mysterious fashionable inseparable considerable unexpected whitewashed moonlit rain-soaked half-finished long-abandoned
		broken hidden faithful careless brilliant dusty yellow crimson violet grey wooden stony restless slender shabby sleepy bitter sweet
		frozen warm shallow deep bright dim faint hollow sudden honest clever stubborn weary grateful thoughtful absent-minded`)
	enTransitive = phrases(`opened; closed; carried; remembered; forgot; noticed; followed; watched; described; repaired; painted; ignored; discovered; returned;
		borrowed; explained; examined; recognised; sketched; polished; folded; unfolded; hid; found; lost; measured; counted; admired; avoided; mentioned;
		searched; questioned; crossed; left; kept; took; placed upon the table; put aside; wrapped in brown paper; held up to the light; handed over; looked for; listened to; waited for; thought of`)
	enIntransitive = phrases(`waited; hesitated; smiled; laughed; nodded; slept; trembled; shivered; disappeared; hurried away; stood still; sat down; looked up; turned round;
		said nothing; fell silent; went out; came back; began to sing; started to run; grew tired; lost heart; stepped forward; leaned back; drew breath; kept quiet; lingered; wandered about;
		lay awake; walked on; stopped at once; shook with cold; thought it over`)
	enPlaces = phrases(`in the; behind the; beside the; under the; near the; beyond the; across the; above the; against the; between the wall and the; not far from the; at the foot of the; in front of the; on the other side of the; within sight of the`)
	enTails  = phrases(`and that was all; for it was late by then; as he had always done; but he did not say so to her; and so it is to this day; though she did not like it; and he did not know what he was to do;
		as if it had to be so; and it was to him as though he had not been away at all; as well as it could be done; and there was no more to be said of it; if that is the word for it; and no one who saw it was glad of it; which none of them would believe;
		and it was not the first time that she had done so; for that was how he liked it best; and now there was nothing more to be done; if only for a day; and not one of them has said a word of it since; as he had been told to do a year ago or more;
		and it is to me as if it were but a day ago; and only the dog was still up; till it was too much for her; and that is more than can be said of me; and I was glad that it was over; so far as I can tell you now`)
	enAdverbs = phrases(`slowly; at last; without a word; once more; after a while; almost at once; in the end; with great care; rather suddenly; for the first time; as usual; late that night; early the next day;
		to everyone's surprise; before anyone could answer; with some difficulty; in a low voice; reluctantly; cheerfully; absent-mindedly; thoughtfully; every now and then; as though nothing had happened; all the same; against all expectation`)
	enSaid  = phrases(`said; asked; answered; whispered; replied; murmured; cried; remarked; insisted; admitted; added; repeated; observed`)
	enLines = phrases(`I never meant to stay so long; You might have told me sooner; There is nothing left to discuss; We shall have to begin again from the beginning; It was only the wind in the chimney;
		Nobody has lived there for twenty years; The train leaves at half past six; I should like to see it for myself; You have your mother's eyes; That is not what I remember; They say the bridge will not hold another winter;
		Leave the lamp where it is; I have brought you something; Perhaps he has forgotten; We were children then; Tell me what you saw; It can wait until morning; You know perfectly well what I mean;
		I do not believe a word of it; Somebody must have moved the ladder; The doctor will be here before noon; Let us speak of something else; It is later than you think; You had better sit down;
		I would have written if there had been anything to write; There were three of them and one carried a lantern; Not a soul has asked after you`)
	enOpeners  = phrases(`Meanwhile; Nevertheless; For a moment; That evening; Some weeks later; Of course; As it happened; On the whole; In those days; By that time; From then on; To be sure; Long afterwards; At any rate; Until then`)
	enAbstract = phrases(`it seemed that; there was no doubt that; nobody could say whether; everyone knew that; it was said that; she was certain that; he had always believed that; one might have thought that; it turned out that; I remember that`)
	enTitles   = phrases(`The House by the Water; A Letter from the North; Crossing; What the Clockmaker Knew; The Empty Chair; Three Visitors; Under the Chestnut Trees; The Last Ferry; A Question of Inheritance; Snow; The Second Portrait; Returning;
		The Lighthouse Keeper's Daughter; An Ordinary Evening; Beyond the Orchard; The Schoolmaster Explains; Rain on the Slates; The Ledger; In the Courtyard; Night Train; The Broken Compass; A Change of Weather; The Inventory; Departures;
		The Long Meadow; Correspondence; Nothing but the Truth; The Winter Garden; Low Tide; The Reading of the Will`)
)
