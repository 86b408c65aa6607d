declare const tenantBrand: unique symbol;
/** Id of a tenant. A branded string, so that no other string is accepted for one. */
export type TenantId = string & { readonly [tenantBrand]: true };
