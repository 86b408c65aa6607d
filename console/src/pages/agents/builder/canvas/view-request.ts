/** Nodes that are to be brought into sight; `times` tells one wish from the next. */
export interface ViewRequest {
  readonly nodes: readonly string[];
  /** Whether the focus goes to the first of them. */
  readonly focus: boolean;
  readonly times: number;
}
