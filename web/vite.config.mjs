import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  // The service puts the path of its public URL in front (api/pages/web-page.ts); what is loaded later is relative.
  base: './',
  plugins: [react()],
  resolve: {
    alias: {
      // Its form for browsers has innerHTML read the entities of Markdown, which our Trusted Types refuse: the table
      // that it has elsewhere needs no document.
      'decode-named-character-reference': fileURLToPath(
        import.meta.resolve('decode-named-character-reference'),
      ),
      '@rjsf/validator-ajv8': fileURLToPath(new URL('no-ajv.mjs', import.meta.url)),
    },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // A picture or font inside the style sheet or program would be one that the policy has to allow as data.
    assetsInlineLimit: 0,
    target: 'baseline-widely-available',
    // Loading a view's program early needs no polyfill in browsers of this target.
    modulePreload: { polyfill: false },
  },
});
