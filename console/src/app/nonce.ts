/** Nonce of the page, which styles that are made while it runs must carry. Source: the policy that the server sends. */
export const nonceOf = (page: Document): string =>
  page.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
