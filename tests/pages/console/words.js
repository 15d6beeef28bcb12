// The console's texts, in the language of the page. They are there when a page has opened.

export { t } from "../../../competition/plugins/console/static/words.js";
