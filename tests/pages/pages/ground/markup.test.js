// The check of the HTML of questions. The document has the policy of the pages, so it enforces Trusted Types.

import { trusted, workerAddress } from "../../../../competition/plugins/pages/static/ground/markup.js";
import { equal, ok, test } from "../../kit/cases.js";

const TRICKS = [
  "<script>alert(1)</script>",
  '<img src="/x" onerror="alert(1)">',
  "<img/src=/x/onerror=alert(1)>",
  '<math href="javascript:alert(1)"><mi>x</mi></math>',
  '<math><mi style="position:fixed">x</mi></math>',
  '<math><annotation-xml encoding="text/html"><img src="/x"></annotation-xml></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  "<svg><mi>x</mi></svg>",
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  "<!-- <br> -->",
  "<<br>script>alert(1)<<br>/script>",
  '<img src="javascript:alert(1)">',
  '<img src="data:text/html,x">',
  '<mi src="/x">x</mi>',
  '<img src="/x" onerror="alert(1)"',
  "<BR>",
  "<br\n>",
  "<mi dir=ltr>x</mi>",
];

test("known attacks are rejected as markup", () => {
  equal(TRICKS.filter((text) => trusted(text) !== null), []);
});

test("markup has formulas and images", () => {
  // Out of the document, no image is loaded.
  const place = document.implementation.createHTMLDocument().createElement("p");
  const text = 'If a &lt; b:<br><math display="block" alttext="\\frac{1}{2} &lt; 3"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>' +
    '<img src="/tests/x.png" alt="A &quot;b&quot;" width="3" height="4" loading="lazy" />';
  place.innerHTML = /** @type {any} */ (trusted(text));
  equal([...place.querySelectorAll("math mfrac, img, br")].map((each) => each.localName), ["br", "mfrac", "img"]);
  ok(trusted(text) === trusted(text), "The same HTML is the same object.");
});

test("the policy allows the service worker, and the document no other HTML", () => {
  equal(String(workerAddress()), "/sw.js");
  equal(String(trusted("<br>")), "<br>");
});
