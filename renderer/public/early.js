// Sets the colour scheme before the first paint, so that a dark window never flashes white. A file of its own because
// the content security policy allows no inline script. The key is Mantine's.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage may be switched off; the system's scheme is the fallback.
    chosen = null;
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
  document.documentElement.style.backgroundColor = isDark ? '#0f1216' : '#f4f6f8';
})();
