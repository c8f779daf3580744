/** The page of a game that is over: its map plays it, while somebody sees it. */
import { live } from "./living.js";
import { byId } from "./text.js";

live(byId("living"));
