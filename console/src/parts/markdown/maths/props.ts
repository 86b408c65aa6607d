export interface FormulaProps {
  readonly tex: string;
  /** On lines of its own. */
  readonly display: boolean;
}
