/** What is limited a minute, as forms, tables and the configuration call it. Source: interface section 1. */
export const limitFields = ['requests_per_minute', 'tokens_per_minute'] as const;
/** One of the fields. */
export type LimitField = (typeof limitFields)[number];

/** The same value under each of the fields, such as for the shape of a schema; `prefix` stands before each name. */
export const forEachLimit = <Value, Prefix extends string = ''>(value: Value, prefix?: Prefix) =>
  Object.fromEntries(limitFields.map((field) => [`${prefix ?? ''}${field}`, value])) as Record<
    `${Prefix}${LimitField}`,
    Value
  >;
