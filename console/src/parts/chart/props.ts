export interface Series {
  readonly label: string;
  /** One a moment; null where nothing was measured. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly title: string;
  /** Milliseconds since 1970, upward. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly kind?: 'bars' | 'line' | 'area';
  readonly height?: number;
  /** How a value is written, such as a duration. */
  readonly formatValue?: (value: number) => string;
  /** Whether a moment stands for its whole day. */
  readonly days?: boolean;
}
