/** For a statement that returns nothing. */
export async function done(query: Promise<object[]>): Promise<void> {
  await query;
}

/** Undefined if there is no row. */
export const firstRow = <Row>(query: Promise<Row[]>): Promise<Row | undefined> =>
  query.then(([row]) => row);

/** Returns the only column of a query's first row; undefined if there is no row. */
export const firstValue = <Row extends object>(query: Promise<Row[]>) =>
  query.then(([row]) => row && (Object.values(row)[0] as Row[keyof Row]));

export const countRows = (query: Promise<object[]>): Promise<number> =>
  query.then((rows) => rows.length);

export const isFound = (query: Promise<object[]>): Promise<boolean> =>
  query.then((rows) => rows.length > 0);

/** For a query that always returns a row. */
export const onlyRow = <Row>(query: Promise<Row[]>): Promise<Row> =>
  query.then(([row]) => {
    if (row === undefined) throw new Error("A statement returned no row.");
    return row;
  });

export const onlyValue = async <Row extends object>(query: Promise<Row[]>) =>
  Object.values(await onlyRow(query))[0] as Row[keyof Row];
