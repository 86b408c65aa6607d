declare const tenantBrand: unique symbol;
/** Id of a tenant. A branded string, so that no other text is taken for one. */
export type TenantId = string & { readonly [tenantBrand]: true };
