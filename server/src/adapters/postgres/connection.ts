/**
 * How to reach a PostgreSQL: by the operator's address, or by the socket of the service's own.
 * Plain data, so that it can be handed to worker processes.
 */
export type PostgresConnection =
  | { readonly url: string }
  | {
      /** A folder for a Unix socket, else a host name. */
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
    };
