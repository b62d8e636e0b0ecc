// The tests of what scripts do without a page.
import { together } from "./together.mjs";

await together(false);
