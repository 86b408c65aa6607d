/** What a definition may use: all that is there for the one who asks and their tenant. */
export interface Resources {
  /** A chat model that may be used. */
  model(id: string): { readonly tools: boolean } | null;
  /** Whether there is such a rerank model. */
  reranks(id: string): boolean;
  /** Ids of the collections that the person may search. */
  readonly collections: ReadonlySet<string>;
  /** Agents of the tenant, by slug: those that their deployed version calls; null where none is deployed. */
  readonly agents: ReadonlyMap<string, readonly string[] | null>;
  /** The agent's own slug; null while it has none. */
  readonly slug: string | null;
  /** Tool servers of the tenant by id: their tools by name, with the arguments that each must be given. */
  readonly servers: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}
