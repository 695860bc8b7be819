// Loaded with each page that has listings to try. The rest is a module, loaded by the first click.
(() => {
    const here = document.currentScript.src;
    if (location.protocol === "file:") return; // there a page may load no module
    for (const listing of document.querySelectorAll("[data-listing]")) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "try-it";
        button.textContent = "part" in listing.dataset ? "Try the whole kernel" : "Try it";
        button.addEventListener("click", async () => {
            button.disabled = true;
            try {
                const { open } = await import(new URL("tryit.js", here));
                await open(listing, button);
            } catch (error) {
                reportError(error); // or a mistake of this page would pass for a download that failed
                button.textContent = "Could not be downloaded: try again";
                button.disabled = false;
            }
        });
        listing.querySelector(".code-block-caption").append(button);
    }
})();
