// Writes .env.example from the settings' schema. Run after a build.
import { writeFileSync } from 'node:fs';

import { renderEnvExample } from '../dist/runtime/settings/env-example.js';

writeFileSync(new URL('../.env.example', import.meta.url), renderEnvExample());
