// What the map and the scripts that it loads later have in common, in one file: each of them names all of it, since the bundler would
// make a file, and so a request of the first view, for each way of sharing.
import "./api.js";
import "./archive.js";
import "./crs.js";
import "./dom.js";
import "./land/ask.js";
import "./words.js";
