// Keeps the page for use without a connection, and isolates it, so that engines can share memory with
// it: the service worker adds the headers that static hosts do not send.

if ("serviceWorker" in navigator) {
  await navigator.serviceWorker.register("service-worker.js").catch((error) => console.info(error.message));
  // Where engines need shared memory, the first visit must be loaded again through the service worker.
  if (!window.crossOriginIsolated && !("Suspending" in WebAssembly) && !sessionStorage.getItem("isolated")) {
    await navigator.serviceWorker.ready;
    sessionStorage.setItem("isolated", "tried");
    location.reload();
  }
}
