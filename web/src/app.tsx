import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { createQueryClient } from './api/query-client.js';
import { basePath } from './base-path.js';
import { styleNonce } from './nonce.js';
import { useRawSearch } from './raw-search.js';
import { RequireSession } from './shell/require-session.js';
import { Shell } from './shell/shell.js';
import { AskBeforeLeaving } from './shell/ask-before-leaving.js';
import { lazyPart } from './parts/lazy-part.js';
import { CrashBoundary } from './parts/messages/crash-boundary.js';
import { Uploads } from './uploads/uploads.js';
import { askBeforeLeaving } from './parts/actions/unsaved.js';
import { cssVariables, theme } from './theme.js';
import { LoginView } from './views/login/login-view.js';
import { NotFound } from './views/not-found.js';
import { ResourcesView } from './views/resources/resources-view.js';

const ResourceView = lazyPart(() => import('./views/resource/resource-view.js'));
const PipelinesView = lazyPart(() => import('./views/pipelines/pipelines-view.js'));
const PipelineView = lazyPart(() => import('./views/pipeline/pipeline-view.js'));
const PluginsView = lazyPart(() => import('./views/plugins/plugins-view.js'));
const PluginView = lazyPart(() => import('./views/plugin/plugin-view.js'));
const SearchView = lazyPart(() => import('./views/search/search-view.js'));
const OverviewView = lazyPart(() => import('./views/overview/overview-view.js'));
const KeysView = lazyPart(() => import('./views/keys/keys-view.js'));
const SystemView = lazyPart(() => import('./views/system/system-view.js'));
const AuditView = lazyPart(() => import('./views/audit/audit-view.js'));

const colorSchemes = localStorageColorSchemeManager({ key: 'kw-color-scheme' });

export function App(): ReactElement {
  const [client] = useState(createQueryClient);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => styleNonce}
      deduplicateInlineStyles
    >
      <QueryClientProvider client={client}>
        <Notifications position="bottom-right" limit={4} />
        <Router base={basePath} searchHook={useRawSearch} aroundNav={askBeforeLeaving}>
          <Uploads>
            <CrashBoundary isWholePage>
              <Switch>
                <Route path="/login" component={LoginView} />
                <Route>
                  <RequireSession>
                    <AskBeforeLeaving />
                    <Shell>
                      <Views />
                    </Shell>
                  </RequireSession>
                </Route>
              </Switch>
            </CrashBoundary>
          </Uploads>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Views(): ReactElement {
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/resources" replace />
      </Route>
      <Route path="/resources" component={ResourcesView} />
      <Route path="/resources/:id">{({ id }) => <ResourceView key={id} id={id} />}</Route>
      <Route path="/pipelines" component={PipelinesView} />
      <Route path="/pipelines/:id">{({ id }) => <PipelineView key={id} id={id} />}</Route>
      <Route path="/plugins" component={PluginsView} />
      <Route path="/plugins/:id">{({ id }) => <PluginView key={id} id={id} />}</Route>
      <Route path="/search" component={SearchView} />
      <Route path="/overview" component={OverviewView} />
      <Route path="/keys" component={KeysView} />
      <Route path="/audit" component={AuditView} />
      <Route path="/system" component={SystemView} />
      <Route component={NotFound} />
    </Switch>
  );
}
