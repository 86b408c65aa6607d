import type { ColumnType } from 'kysely';

// Column types that features share: the type that is read, inserted, and updated.

/** A `timestamptz`: read as Date, written as Date or ISO 8601 text. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** A `timestamptz` that the database sets when it is left out. */
export type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;
/** A `timestamptz` that may be missing. */
export type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
/** A column that may be missing. */
export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
/** Written as JSON text. */
export type Json<T> = ColumnType<T, string, string>;
/** JSON that the database sets when it is left out. */
export type GeneratedJson<T> = ColumnType<T, string | undefined, string>;
/** JSON that may be missing. */
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
