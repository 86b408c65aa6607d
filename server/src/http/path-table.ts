/** A method and a path as it was registered, such as `/v1/models/*`. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The methods of every path, to tell a wrong method from an unknown path. */
export interface PathTable {
  readonly routes: readonly Route[];
  add(route: Route): void;
  /** Methods that a path takes; empty where there is nothing. */
  methodsOf(path: string): readonly string[];
}

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.+^$()|[\]\\]/g, '\\$&')
      .replace(/\/\*$/, '/.+')
      .replace(/:[^/]+/g, '[^/]+')}/?$`,
  );

/** The paths of a server, as they are registered. */
export function createPathTable(): PathTable {
  const routes: (Route & { readonly pattern: RegExp })[] = [];
  return {
    routes,
    add: (route) => void routes.push({ ...route, pattern: patternOf(route.path) }),
    methodsOf: (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))],
  };
}
