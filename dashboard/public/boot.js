// Before the first paint, so that a chosen theme does not flash; a file of its own, for the page may hold no script.
(() => {
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is blocked: the theme is that of the system.
  }
})();
