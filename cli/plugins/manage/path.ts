/** The path of a plugin below /api/v1. */
export const pluginPath = (id: string): string => `/plugins/${encodeURIComponent(id)}`;
