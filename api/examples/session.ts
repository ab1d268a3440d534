/** The session of a browser that logged in with an admin's key. */
export const session = {
  api_key: { id: '019a9b1c-0f4e-7b2a-9c3d-8e5f6a7b8c9d', name: 'admin', scopes: ['admin'] },
  expires_at: '2025-11-20T21:30:00.123Z',
  public_url: 'http://127.0.0.1:8080',
  temporal_ui: 'http://127.0.0.1:8233/namespaces/default',
  last_event_id: '3f1c52d07a9e-7141-0',
};
