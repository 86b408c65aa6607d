import type { LimitField } from '@ai-studio/contract/limits.ts';

/** What is limited, by the field of forms and tables. All that counts, stores or asks for limits goes by this list. */
const limitOfField = {
  requests_per_minute: 'requestsPerMinute',
  tokens_per_minute: 'tokensPerMinute',
} as const satisfies Readonly<Record<LimitField, string>>;

/** Name of a limit. */
export type RateLimit = (typeof limitOfField)[LimitField];
/** How much an actor may use in a minute; null is no limit. */
export type RateLimits = Readonly<Record<RateLimit, number | null>>;
/** How much of each limit is used. */
export type RateAmounts = Readonly<Record<RateLimit, number>>;
/** Limits as forms and tables have them. */
export type LimitFields = Readonly<Record<LimitField, number | null>>;

const pairs = Object.entries(limitOfField) as readonly (readonly [LimitField, RateLimit])[];
/** Names of all limits. */
export const rateLimits: readonly RateLimit[] = Object.values(limitOfField);

/** A value for each limit. */
export const eachRateLimit = <Value>(valueOf: (limit: RateLimit) => Value) =>
  Object.fromEntries(rateLimits.map((limit) => [limit, valueOf(limit)])) as Record<RateLimit, Value>;

/** No limit at all. */
export const unlimited: RateLimits = eachRateLimit(() => null);

export const limitsOf = (fields: LimitFields) =>
  Object.fromEntries(pairs.map(([field, limit]) => [limit, fields[field]])) as RateLimits;
/** What is left out is null; `prefix` stands before each name. */
export const fieldsOf = <Prefix extends string = ''>(limits: Readonly<Partial<RateLimits>>, prefix?: Prefix) =>
  Object.fromEntries(pairs.map(([field, limit]) => [`${prefix ?? ''}${field}`, limits[limit] ?? null])) as Record<
    `${Prefix}${LimitField}`,
    number | null
  >;

/** An actor's own limits, and the defaults where it has none. */
export const withDefaultLimits = (own: RateLimits, defaults: RateLimits): RateLimits =>
  eachRateLimit((limit) => own[limit] ?? defaults[limit]);
