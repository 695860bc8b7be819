// Loaded with each exercise's page. The rest is a module, which a page that is opened as a file may not load.
(() => {
    const here = document.currentScript.src;
    if (location.protocol === "file:") {
        const sentence = document.querySelector(".how-to-work p");
        const command = document.createElement("code");
        command.textContent = "python3 -m http.server --directory _build/html";
        sentence.replaceChildren(
            "This page was opened as a file, so it can only be read. To answer the exercise in the page, run ",
            command,
            " in the course's folder and open the address that it prints. Or work on it elsewhere:",
        );
        return;
    }
    import(new URL("main.js", here)).catch(() => {
        document.querySelector(".how-to-work p").textContent =
            "The page's script could not be downloaded: check that this device is online, and reload the page. Or work on it elsewhere:";
    });
})();
