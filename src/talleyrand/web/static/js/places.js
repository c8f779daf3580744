/** @import { Point } from "./types.js" */

/** The province of a location: `STP/SC` → `STP`.
 * @param {string} location
 */
export const provinceOf = (location) => location.split("/")[0];

/** What the places of the board are called, and where units stand in them. */
export class Places {
  /** @param {Record<string, [string, number, number]>} known name, then point, by location */
  constructor(known) {
    this.known = known;
  }

  /** @param {string} location */
  name(location) {
    return this.known[location] ? this.known[location][0] : location;
  }

  /** @param {string} location @returns {Point | null} */
  point(location) {
    const found = this.known[location] || this.known[provinceOf(location)];
    return found ? { x: found[1], y: found[2] } : null;
  }

  /** The one of some locations that lies nearest to a point of the board.
   * @param {Iterable<string>} locations @param {Point} from @param {number} [most] how far it may lie
   */
  nearest(locations, from, most = Infinity) {
    let best = "";
    let least = most;
    for (const location of locations) {
      const far = distance(this.point(location), from);
      if (far < least) [best, least] = [location, far];
    }
    return best;
  }

  /** The next of some locations when one walks from a place in a direction.
   * @param {Iterable<string>} locations @param {string} from @param {Point} way of length one
   */
  next(locations, from, way) {
    const start = this.point(from);
    let best = "";
    let least = Infinity;
    for (const location of locations) {
      const goal = this.point(location);
      if (!start || !goal || location === from) continue;
      const [dx, dy] = [goal.x - start.x, goal.y - start.y];
      const ahead = dx * way.x + dy * way.y;
      const aside = Math.abs(dx * way.y - dy * way.x);
      if (ahead <= 0 || aside > 2 * ahead) continue;
      if (ahead + 2 * aside < least) [best, least] = [location, ahead + 2 * aside];
    }
    return best;
  }
}

/** @param {Point | null} one @param {Point} other */
function distance(one, other) {
  return one ? Math.hypot(one.x - other.x, one.y - other.y) : Infinity;
}
