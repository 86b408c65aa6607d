/** How many elements over the page are remembered. */
const MAX_REMEMBERED = 30;
/** After what a component does itself: Mantine gives the focus back, or to the next dialog, within ten milliseconds. */
const WAIT_MS = 30;

/** What lies over the page stands in places of their own at the end of it. */
const OVER = '[data-portal]';

const isLost = () => document.activeElement === null || document.activeElement === document.body;
const canHave = (element: HTMLElement) =>
  element.checkVisibility() && !element.matches(':disabled') && element.closest('[inert]') === null;

/**
 * Keeps people who work by the keyboard where they were: once a dialog, a drawer or a menu is gone with the focus in it, the focus goes
 * back to what had it before, or to the page where that is gone as well. The components see to that alone where they are closed and stay
 * there; not where they are there only while they are open, nor where an entry of a menu that has closed meanwhile opened them.
 */
export function returnFocus(root: HTMLElement = document.body): void {
  /** What had the focus, the latest first: over the page, and last the one in the page that it was over. */
  let before: HTMLElement[] = [];
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const below = target.closest(OVER) === null ? [] : before.filter((one) => one !== target);
    before = [target, ...below.slice(0, MAX_REMEMBERED), ...below.slice(MAX_REMEMBERED).slice(-1)];
  });
  const giveBack = () => {
    if (!isLost()) return;
    // Of dialogs over each other only the topmost is there for people.
    const open = [...document.querySelectorAll<HTMLElement>('[role=dialog][aria-modal=true]')].findLast(canHave);
    const next = before.find((one) => canHave(one) && (open ?? root).contains(one));
    (next ?? open ?? document.querySelector<HTMLElement>('#main'))?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes, removedNodes } of changes) {
      if (target === root) for (const node of addedNodes) watch(node);
      const [last] = before;
      if (last !== undefined && [...removedNodes].some((node) => node.contains(last))) setTimeout(giveBack, WAIT_MS);
    }
  });
  // The page itself is not watched: much changes in it while an answer comes.
  const watch = (node: Node) => {
    if (node instanceof HTMLElement && node.matches(OVER)) observer.observe(node, { childList: true, subtree: true });
  };
  observer.observe(root, { childList: true });
  for (const node of root.children) watch(node);
}
