// The texts that all subjects of the portal share. Each subject adds its own, so that no page loads those of others.

import { catalogue } from "../../pages/static/ground/texts.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") });
