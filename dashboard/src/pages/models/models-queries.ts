/** Under what the page keeps what it has read; never a router key, of which it reads the end alone. */
export const ROUTER_KEY_QUERY = ['router-key'] as const;
export const ROUTER_MODELS_QUERY = ['router-models'] as const;
export const ROUTER_CATALOG_QUERY = ['router-catalog'] as const;
export const PLATFORM_MODELS_QUERY = ['platform-models'] as const;
