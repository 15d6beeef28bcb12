/** The service writes this constant before the service worker (competition/plugins/pages/release.py). */
declare const RELEASE: { hash: string; files: string[] };
