import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server of `npm start`, for `npm run dev`. */
const API = 'http://127.0.0.1:8080';

/** Of the fonts of formulas each comes in three formats, of which browsers that can show the pages need the first. */
const oneFontFormat = {
  name: 'one-font-format',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.includes('katex.min.css') ? code.replace(/,url\([^)]*\.(?:woff|ttf)\) ?format\([^)]*\)/g, '') : null,
};

export default defineConfig({
  plugins: [react(), oneFontFormat, { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' as const }],
  build: {
    // An inlined file is a `data:` address, which the content security policy refuses.
    assetsInlineLimit: 0,
    // The second is what Hosting and the server of one machine send for an address that nothing is at.
    rolldownOptions: { input: ['index.html', '404.html'] },
    modulePreload: { polyfill: false },
    sourcemap: false,
    // What may be loaded is held to by a test, compressed.
    chunkSizeWarningLimit: 900,
    target: 'es2023',
  },
  server: { proxy: Object.fromEntries(['/dashboard', '/v1', '/docs'].map((path) => [path, API])) },
});
