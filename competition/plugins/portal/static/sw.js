// The service worker of the portal. The service writes a line before this one: the constant RELEASE,
// with the hash of the release and the addresses of the files that the first page loads.
