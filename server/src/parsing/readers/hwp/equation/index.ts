export const equationToLatex = (script: string): string => script.trim();
