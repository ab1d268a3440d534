import { newSigningSecret } from '@knowledge-warehouse/plugin/signing';
import { validationFailed } from '../../core/errors.js';
import { RawJson } from '../../core/json/raw-json.js';
import { pendingCleanUps } from '../../storage/clean-ups.js';
import { readDeliveries } from '../../storage/pipelines/deliveries.js';
import {
  deletePlugin,
  findPlugin,
  listPlugins,
  replaceConfig,
  replaceSigningSecret,
  togglePlugin,
  type Plugin,
} from '../../storage/pipelines/plugins.js';
import { ocr } from '../examples/plugin.js';
import { loadPage, readPosition, timePosition } from '../lookups/pages.js';
import { found } from '../lookups/found.js';
import { describeCleanUps } from '../lookups/polling-messages.js';
import { defineRoute, type Route } from '../route.js';
import { listOf, pageQuery } from '../schemas/common.js';
import { isPluginId, pluginConfigSchema, pluginIdParam } from '../schemas/plugin-requests.js';
import {
  listedPluginSchema,
  pluginSchema,
  pluginWithPollersSchema,
  pluginWithWarningsSchema,
  signingSecretSchema,
} from '../schemas/plugin.js';
import { readAs } from '../schemas/typed.js';
import { lockedPluginTag } from '../reply/entity-tags.js';
import { viewDeliveries, viewListedPlugin } from '../views/plugin.js';
import { readWhole, showPlugin } from '../views/show-plugin.js';

const tag = 'Plugins';
const params = { id: pluginIdParam };
const otherParams = { id: { ...pluginIdParam, examples: ['ocr'] } } as const;
const configBody = readAs<{ readonly config: string }>(pluginConfigSchema);
const pollersPatienceMs = 1_000;

const isHttp = ({ kind }: Plugin): boolean => kind === 'http';

const list = defineRoute({
  method: 'GET',
  path: '/plugins',
  operationId: 'listPlugins',
  summary: 'List plugins',
  description:
    'Newest first, without configs and with the results of deliveries to http plugins. A page holds at most about 4 MiB of schemas, so it may have fewer plugins than `limit`.',
  tag,
  scope: 'read',
  query: pageQuery,
  responses: { 200: { description: 'A page of plugins.', schema: listOf('PluginList', listedPluginSchema) } },
  async handler({ deps, query }) {
    const before = readPosition(query.cursor, isPluginId);
    const page = await loadPage(
      query.limit,
      (limit) => listPlugins(deps.db, { limit, before }),
      timePosition,
      ({ fits }) => fits,
    );
    const deliveries = await readDeliveries(
      deps.db,
      page.items.filter(isHttp).map(({ id }) => id),
    );
    const items = page.items.map((plugin) => ({
      ...viewListedPlugin(plugin),
      deliveries: viewDeliveries(deliveries.get(plugin.id)),
    }));
    return { status: 200, body: { ...page, items } };
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/plugins/:id',
  operationId: 'getPlugin',
  summary: 'Get a plugin with its config',
  description:
    'Includes its pollers, the results of deliveries, and pending clean-ups. Only admin keys can read values that its `config_schema` marks `writeOnly`.',
  tag,
  scope: 'read',
  pluginKeys: 'own',
  tagged: true,
  params,
  responses: { 200: { description: 'The plugin.', schema: pluginWithPollersSchema } },
  async handler({ deps, params: { id }, principal }) {
    const whole = await readWhole(deps, deps.db, id);
    const { plugin } = whole;
    const { task_queue: queue } = plugin;
    const [shown, polling, deliveries, { count, oldest_at, last_error }] = await Promise.all([
      showPlugin(deps, whole, principal),
      queue === null ? null : deps.workflows.readPolling(queue, pollersPatienceMs),
      readDeliveries(deps.db, isHttp(plugin) ? [id] : []),
      pendingCleanUps(deps.db, id),
    ]);
    const pending_clean_ups = {
      count,
      oldest_at: oldest_at?.toISOString() ?? null,
      last_error: count === 0 ? null : describeCleanUps(last_error, queue, polling),
    };
    const { headers, body } = shown;
    const health = {
      deliveries: viewDeliveries(deliveries.get(id)),
      pollers: polling?.pollers ?? null,
      last_polled_at: polling?.lastPolledAt?.toISOString() ?? null,
    };
    return { status: 200, headers, body: { ...body, ...health, pending_clean_ups } };
  },
});

const toggle = defineRoute({
  method: 'PUT',
  path: '/plugins/:id/toggle',
  operationId: 'togglePlugin',
  summary: 'Activate or deactivate a plugin',
  description: 'Flips `is_active`, which Core checks when a step begins; running steps continue.',
  tag,
  scope: 'admin',
  tagged: true,
  params: otherParams,
  responses: {
    200: {
      description: 'The plugin.',
      schema: pluginSchema,
      examples: { 'A plugin that was active': { ...ocr, is_active: false } },
    },
  },
  async handler({ deps, params: { id }, principal, ifMatch, transact }) {
    return await transact(async (trx) => {
      await ifMatch.require(() => lockedPluginTag(deps, trx, id));
      found(await togglePlugin(trx, id), 'plugin', id);
      return { status: 200, ...(await showPlugin(deps, await readWhole(deps, trx, id), principal)) };
    });
  },
});

const configure = defineRoute({
  method: 'PUT',
  path: '/plugins/:id/config',
  operationId: 'replacePluginConfig',
  summary: "Replace a plugin's config",
  description:
    'Replaces the whole config; nothing is merged. It applies to attempts that begin from now on. Any JSON object is accepted: if it does not match the plugin’s `config_schema`, `config_warnings` says so.',
  tag,
  scope: 'admin',
  tagged: true,
  params,
  bodyForm: 'config',
  body: configBody,
  responses: { 200: { description: 'The plugin.', schema: pluginWithWarningsSchema } },
  errors: ['INVALID_PLUGIN'],
  async handler({ deps, params: { id }, body: { config: text }, principal, ifMatch, change }) {
    const config = new RawJson(text);
    const whole = await change(async (trx) => {
      await ifMatch.require(() => lockedPluginTag(deps, trx, id));
      const plugin = found(await replaceConfig(trx, deps.config.secrets, id, config), 'plugin', id);
      return { plugin, config };
    });
    const { headers, body } = await showPlugin(deps, whole, principal);
    const config_warnings = await deps.configChecks.findWarnings(whole.plugin, config);
    return { status: 200, headers, body: { ...body, config_warnings } };
  },
});

const renewSecret = defineRoute({
  method: 'POST',
  path: '/plugins/:id/signing-secret',
  operationId: 'rotateSigningSecret',
  summary: 'Make a new signing secret for an http plugin',
  description:
    'For 24 hours, messages also carry the signatures of up to five previous secrets, so that workers can switch. A plugin of another kind has no secret: VALIDATION_FAILED.',
  tag,
  scope: 'admin',
  params: otherParams,
  responses: { 200: { description: 'The secret.', schema: signingSecretSchema } },
  errors: ['VALIDATION_FAILED'],
  async handler({ deps, params: { id }, change }) {
    const plugin = found(await findPlugin(deps.db, id), 'plugin', id);
    if (plugin.kind !== 'http')
      throw validationFailed({
        path: '/id',
        message: 'must be the id of an http plugin; others have no signing secret',
      });
    const signing_secret = newSigningSecret();
    const { secrets } = deps.config;
    found(await change((trx) => replaceSigningSecret(trx, secrets, id, signing_secret)), 'plugin', id);
    return { status: 200, body: { signing_secret } };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/plugins/:id',
  operationId: 'deletePlugin',
  summary: 'Delete a plugin',
  description:
    'Fails while a pipeline or an unfinished step of a PROCESSING resource needs the plugin; `details` lists these pipelines and resources.',
  tag,
  scope: 'admin',
  tagged: true,
  params: otherParams,
  responses: { 204: { description: 'The plugin was deleted.' } },
  errors: ['PLUGIN_IN_USE'],
  async handler({ deps, params: { id }, ifMatch, transact }) {
    return await transact(async (trx) => {
      await ifMatch.require(() => lockedPluginTag(deps, trx, id));
      found((await deletePlugin(trx, id)) || null, 'plugin', id);
      return { status: 204 };
    });
  },
});

export const pluginRoutes: readonly Route[] = [list, get, toggle, configure, renewSecret, remove];
