/** The first person of services that are set up at their first start. */
export const administrator = { email: 'admin@example.org', password: 'correct horse battery' };

/** Environment of a service that is set up at its first start. */
export const administratorEnv = {
  STUDIO_ADMIN_EMAIL: administrator.email,
  STUDIO_ADMIN_PASSWORD: administrator.password,
};
