// The function `t` for the texts of this folder and, through `../words.js`, for the shared texts of the portal.

import { catalogue } from "../../../pages/static/ground/texts.js";
import { t as shared } from "../words.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") }, shared);
