import { live } from "./living.js";
import { recent } from "./recent.js";
import { LOCALE, byId } from "./text.js";

const games = recent();
const english = document.documentElement.lang === "en";
const when = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
if (games.length) {
  byId("recent").hidden = false;
  byId("recent-list").replaceChildren(
    ...games.map((game) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const time = document.createElement("span");
      link.href = (english ? "/en" : "") + game.url;
      link.textContent = game.title;
      time.className = "hint";
      time.textContent = ` ${when.format(new Date(game.when))}`;
      item.append(link, time);
      return item;
    }),
  );
}

live(byId("living"));
