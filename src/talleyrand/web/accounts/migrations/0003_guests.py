from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_sign_in_links")]

    operations = [migrations.AddField("person", "is_guest", models.BooleanField(default=False))]
