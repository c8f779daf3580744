"""What every page with a board needs: the door to the judge, orders in preparation, menus, map, results."""
