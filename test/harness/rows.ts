export const columnOf = async <Value>(query: PromiseLike<readonly object[]>): Promise<Value[]> =>
  (await query).map((row) => Object.values(row)[0] as Value);

export const valueOf = async <Value>(
  query: PromiseLike<readonly object[]>,
): Promise<Value | undefined> => (await columnOf<Value>(query))[0];
