// Show the API with Swagger UI. This script knows no address: it finds the document and the server relative to its own.

const docs = new URL("..", document.currentScript.src);
fetch(new URL("spec", docs))
  .then((reply) => reply.json())
  .then((spec) => {
    // Send requests to the server of this page, regardless of the public address in the document.
    spec.servers = [{ url: new URL("..", docs).href.replace(/\/$/, "") }];
    SwaggerUIBundle({
      spec,
      dom_id: "#page",
      deepLinking: true,
      presets: [SwaggerUIBundle.presets.apis],
      validatorUrl: null,
    });
  });
