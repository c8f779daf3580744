import { moveByKeys, openMap } from "./map.js";

const { frame, viewport } = openMap();
moveByKeys(frame, viewport);
