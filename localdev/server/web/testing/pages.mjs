// The tests that drive pages of a running server (MAPPE_URL) in a browser.
import { together } from "./together.mjs";

await together(true);
