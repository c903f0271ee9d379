// Before the first paint, so that a chosen theme does not flash; a file of its own, for the page may hold no script.
(() => {
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is blocked: the theme is that of the system.
  }
  // The styles hide the words for a page that has not loaded; without the script nothing would take their place.
  const notLoaded = ({ target }) => {
    if (target instanceof HTMLScriptElement) document.documentElement.dataset.notLoaded = '';
  };
  addEventListener('error', notLoaded, true);
})();
