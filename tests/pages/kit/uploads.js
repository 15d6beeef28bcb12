// Uploads, which pages send by XMLHttpRequest, as requests to the stand-in service:
//
//     const service = new Service({ "POST /questions/images/": () => example("Image") });
//     useUploads();

/** Let XMLHttpRequest send its requests by `fetch`. The body of an upload is a FormData. */
export function useUploads() {
  globalThis.XMLHttpRequest = /** @type {any} */ (Uploading);
}

class Uploading {
  upload = { onprogress: /** @type {((event: any) => void) | null} */ (null) };
  status = 0;
  /** @type {Blob | null} */
  response = null;
  responseType = "";
  timeout = 0;
  onload = () => {};
  onerror = () => {};
  #method = "GET";
  #address = "";
  /** @type {Record<string, string>} */
  #headers = {};
  #received = new Headers();

  /** @param {string} method @param {string} address */
  open(method, address) {
    this.#method = method;
    this.#address = address;
  }

  /** @param {string} name @param {string} value */
  setRequestHeader(name, value) {
    this.#headers[name] = value;
  }

  getAllResponseHeaders() {
    return [...this.#received].map(([name, value]) => `${name}: ${value}`).join("\r\n");
  }

  /** @param {FormData} form */
  async send(form) {
    this.upload.onprogress?.({ loaded: 1, total: 2, lengthComputable: true });
    try {
      const reply = await fetch(this.#address, { method: this.#method, headers: this.#headers, body: form });
      this.status = reply.status;
      this.response = await reply.blob();
      this.#received = reply.headers;
    } catch {
      return this.onerror();
    }
    this.onload();
  }
}
