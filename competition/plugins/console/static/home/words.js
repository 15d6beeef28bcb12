// The function `t` for the texts of the subject `home`, and for those that all subjects of the console share. It uses no
// other catalogue.

import { catalogue } from "../../../pages/static/ground/texts.js";
import { t as shared } from "../words.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") }, shared);
